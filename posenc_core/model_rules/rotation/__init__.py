"""The rotary parameters of a file, read as its class reads them: base, scaling, axes and changed distances."""
