"""The op tree: operations, regions, blocks and values; how it is built, written down and compared."""
