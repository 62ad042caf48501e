DROP TABLE `lane_waiter`;--> statement-breakpoint
DROP TABLE `lease`;