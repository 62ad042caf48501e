CREATE TABLE `memory_passage` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source_id` integer NOT NULL,
	`outside` integer NOT NULL,
	`position` integer NOT NULL,
	`line` integer NOT NULL,
	`text` text NOT NULL,
	`trust` text NOT NULL,
	`importance` integer,
	`projects` text NOT NULL,
	`superseded` integer NOT NULL,
	`hash` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `memory_passage_place` ON `memory_passage` (`source_id`,`outside`,`position`);--> statement-breakpoint
CREATE TABLE `memory_recall` (
	`agent_id` text NOT NULL,
	`line_hash` text NOT NULL,
	`query_hash` text NOT NULL,
	`day` text NOT NULL,
	`path` text NOT NULL,
	`score` real NOT NULL,
	`rank` integer NOT NULL,
	`session_key` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`agent_id`, `line_hash`, `query_hash`, `day`)
);
--> statement-breakpoint
CREATE INDEX `memory_recall_day` ON `memory_recall` (`agent_id`,`day`);--> statement-breakpoint
CREATE TABLE `memory_source` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`agent_id` text NOT NULL,
	`path` text NOT NULL,
	`kind` text NOT NULL,
	`identity` text,
	`date` text,
	`hash` text NOT NULL,
	`etag` text NOT NULL,
	`generation` integer NOT NULL,
	`model` text,
	`passages` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `memory_source_path` ON `memory_source` (`agent_id`,`path`);--> statement-breakpoint
CREATE TABLE `memory_vector` (
	`source_id` integer NOT NULL,
	`outside` integer NOT NULL,
	`chunk` integer NOT NULL,
	`generation` integer NOT NULL,
	`model` text NOT NULL,
	`dimensions` integer NOT NULL,
	`positions` text NOT NULL,
	`data` text NOT NULL,
	PRIMARY KEY(`source_id`, `outside`, `chunk`)
);
