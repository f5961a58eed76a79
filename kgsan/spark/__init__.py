"""kgsan on a Spark cluster, for more texts than one machine can sanitize or count."""

from kgsan.spark.frames import sanitize

__all__ = ["sanitize"]
