CREATE TABLE `due` (
	`name` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`failures` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `lane_waiter` (
	`turn_id` text PRIMARY KEY NOT NULL,
	`lane` text NOT NULL,
	`session_key` text NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `lane_waiter_lane` ON `lane_waiter` (`lane`,`since`);--> statement-breakpoint
CREATE TABLE `lease` (
	`turn_id` text PRIMARY KEY NOT NULL,
	`lane` text NOT NULL,
	`session_key` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `lease_lane` ON `lease` (`lane`,`expires_at`);--> statement-breakpoint
CREATE TABLE `notice` (
	`channel` text NOT NULL,
	`account` text NOT NULL,
	`peer` text NOT NULL,
	`at` integer NOT NULL,
	`sent` integer NOT NULL,
	PRIMARY KEY(`channel`, `account`, `peer`)
);
--> statement-breakpoint
CREATE INDEX `notice_account` ON `notice` (`channel`,`account`,`at`);--> statement-breakpoint
CREATE TABLE `operation` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`path` text NOT NULL,
	`status` text NOT NULL,
	`kind` text NOT NULL,
	`text` text NOT NULL,
	`old_text` text,
	`options` text NOT NULL,
	`attempt` text,
	`result` text,
	`at` integer NOT NULL,
	`put_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `operation_id_unique` ON `operation` (`id`);--> statement-breakpoint
CREATE INDEX `operation_open` ON `operation` (`path`,`seq`) WHERE status = 'logged';--> statement-breakpoint
CREATE INDEX `operation_put` ON `operation` (`path`,`put_at`) WHERE put_at is not null;--> statement-breakpoint
CREATE INDEX `operation_age` ON `operation` (`at`) WHERE status <> 'logged';--> statement-breakpoint
CREATE TABLE `session` (
	`key` text PRIMARY KEY NOT NULL,
	`address` text,
	`first_seen_at` integer NOT NULL,
	`last_active_at` integer NOT NULL,
	`busy_mark` integer,
	`swept_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `session_busy` ON `session` (`swept_at`) WHERE busy_mark is not null;--> statement-breakpoint
CREATE INDEX `session_active` ON `session` (`last_active_at`);--> statement-breakpoint
CREATE INDEX `session_address` ON `session` (`address`) WHERE address is not null;--> statement-breakpoint
CREATE TABLE `setting` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `usage` (
	`id` text PRIMARY KEY NOT NULL,
	`row` text NOT NULL
);
