ALTER TABLE `usage_total` ADD `since` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `usage_total_age` ON `usage_total` (`since`);--> statement-breakpoint
CREATE INDEX `turn_ended` ON `turn` (`ended_at`) WHERE ended_at is not null;