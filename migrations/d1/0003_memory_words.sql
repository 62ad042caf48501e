CREATE VIRTUAL TABLE `memory_clean` USING fts5(`self`, `before`, `after`, `scope`, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE VIRTUAL TABLE `memory_outside` USING fts5(`self`, `before`, `after`, `scope`, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2');
