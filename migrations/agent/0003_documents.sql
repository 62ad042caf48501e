CREATE TABLE `document` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
