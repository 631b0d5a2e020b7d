/** What people know an issuer by: its host. What is no URL stands for itself, so that whoever set it wrongly sees it. */
export function issuerName(issuer: string | null): string {
  const text = issuer ?? '';
  return (URL.canParse(text) && new URL(text).host) || text;
}
