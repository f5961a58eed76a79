"""Load: very many documents through one process, many threads, and a service that is asked by honest and dishonest clients."""
