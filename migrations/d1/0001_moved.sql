CREATE TABLE `moved` (
	`channel` text NOT NULL,
	`conversation` text NOT NULL,
	`former` text NOT NULL,
	PRIMARY KEY(`channel`, `conversation`)
);
