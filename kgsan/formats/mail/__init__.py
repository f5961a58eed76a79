"""Mails: what their headers, bodies and attachments say, without the traces of their way."""

from kgsan.formats.mail.messages import mail_reader, read_mail

__all__ = ["mail_reader", "read_mail"]
