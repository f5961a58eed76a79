"""The local review page: a person decides about every change, every decision is logged, and only what verifies is released."""
