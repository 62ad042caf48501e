CREATE TABLE `usage` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`session_key` text NOT NULL,
	`session_id` text NOT NULL,
	`turn_id` text NOT NULL,
	`provider` text NOT NULL,
	`model` text NOT NULL,
	`input` integer NOT NULL,
	`output` integer NOT NULL,
	`cache_read` integer NOT NULL,
	`cache_write` integer NOT NULL,
	`cost` real,
	`latency_ms` integer NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `usage_agent` ON `usage` (`agent_id`,`at`);--> statement-breakpoint
CREATE INDEX `usage_session` ON `usage` (`session_key`,`at`);