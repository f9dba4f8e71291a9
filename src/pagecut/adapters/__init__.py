"""Adapters: pages for the pipelines of other libraries (LangChain, LlamaIndex, Hugging Face)."""
