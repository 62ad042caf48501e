/** Files that wrangler bundles as text (the `Text` rule in wrangler.toml). */
declare module "*.md" {
  const text: string;
  export default text;
}
declare module "*.sql" {
  const text: string;
  export default text;
}
