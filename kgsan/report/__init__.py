"""What is told about a sanitized text: reasons in sentences, a public certificate, a private record, and the files themselves."""
