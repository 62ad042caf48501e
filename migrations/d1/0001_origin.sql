CREATE TABLE `origin` (
	`channel` text NOT NULL,
	`conversation` text NOT NULL,
	`origin` text NOT NULL,
	PRIMARY KEY(`channel`, `conversation`)
);
