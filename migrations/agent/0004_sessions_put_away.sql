ALTER TABLE `session` ADD `archived_at` integer;--> statement-breakpoint
ALTER TABLE `session` ADD `spared_until` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `session_present` ON `session` (`last_active_at`) WHERE archived_at is null;