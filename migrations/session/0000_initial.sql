CREATE TABLE `entry` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`session_id` text NOT NULL,
	`turn_id` text,
	`at` integer NOT NULL,
	`role` text NOT NULL,
	`trust` text NOT NULL,
	`tokens` integer NOT NULL,
	`body` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `entry_session` ON `entry` (`session_id`,`seq`);--> statement-breakpoint
CREATE INDEX `entry_untrusted` ON `entry` (`session_id`,`seq`) WHERE trust = 'untrusted';--> statement-breakpoint
CREATE INDEX `entry_turn` ON `entry` (`turn_id`) WHERE turn_id is not null;--> statement-breakpoint
CREATE TABLE `inbox` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`delivery_key` text NOT NULL,
	`identity_key` text NOT NULL,
	`content_hash` text,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`message` text NOT NULL,
	`extra` text NOT NULL,
	`turn_id` text,
	`received_at` integer NOT NULL,
	`not_before` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `inbox_delivery` ON `inbox` (`delivery_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `inbox_identity` ON `inbox` (`identity_key`);--> statement-breakpoint
CREATE INDEX `inbox_open` ON `inbox` (`status`,`kind`,`seq`) WHERE status <> 'done';--> statement-breakpoint
CREATE INDEX `inbox_turn` ON `inbox` (`turn_id`) WHERE turn_id is not null;--> statement-breakpoint
CREATE INDEX `inbox_content` ON `inbox` (`content_hash`,`received_at`) WHERE content_hash is not null;--> statement-breakpoint
CREATE INDEX `inbox_age` ON `inbox` (`received_at`) WHERE status = 'done';--> statement-breakpoint
CREATE TABLE `journal` (
	`turn_id` text NOT NULL,
	`step` integer NOT NULL,
	`position` integer NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`version` integer NOT NULL,
	`call_id` text,
	`name` text,
	`input` text,
	`output` text,
	`at` integer NOT NULL,
	PRIMARY KEY(`turn_id`, `step`, `position`)
);
--> statement-breakpoint
CREATE INDEX `journal_age` ON `journal` (`at`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`turn_id` text,
	`kind` text NOT NULL,
	`mode` text NOT NULL,
	`route` text NOT NULL,
	`part` text NOT NULL,
	`status` text NOT NULL,
	`message_id` text,
	`attempts` integer NOT NULL,
	`next_at` integer NOT NULL,
	`claim` text,
	`claimed_at` integer,
	`error` text,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_key` ON `outbox` (`key`);--> statement-breakpoint
CREATE INDEX `outbox_open` ON `outbox` (`seq`) WHERE status in ('prepared', 'sending');--> statement-breakpoint
CREATE INDEX `outbox_turn` ON `outbox` (`turn_id`) WHERE turn_id is not null;--> statement-breakpoint
CREATE INDEX `outbox_age` ON `outbox` (`at`);--> statement-breakpoint
CREATE TABLE `setting` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `turn` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`session_id` text NOT NULL,
	`status` text NOT NULL,
	`trigger` text NOT NULL,
	`phase` text NOT NULL,
	`step` integer NOT NULL,
	`attempts` integer NOT NULL,
	`resumes` integer NOT NULL,
	`next_at` integer NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	`detail` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `turn_id` ON `turn` (`id`);--> statement-breakpoint
CREATE INDEX `turn_parked` ON `turn` (`seq`) WHERE status = 'parked';--> statement-breakpoint
CREATE INDEX `turn_running` ON `turn` (`status`) WHERE status = 'running';--> statement-breakpoint
CREATE TABLE `usage` (
	`id` text PRIMARY KEY NOT NULL,
	`row` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `usage_total` (
	`session_id` text PRIMARY KEY NOT NULL,
	`calls` integer NOT NULL,
	`input` integer NOT NULL,
	`output` integer NOT NULL,
	`cache_read` integer NOT NULL,
	`cache_write` integer NOT NULL,
	`cost` integer NOT NULL,
	`unpriced` integer NOT NULL
);
