/**
 * Returns the host of an issuer, by which users know it. An invalid URL is returned unchanged, so that the mistake is
 * visible.
 */
export function issuerName(issuer: string | null): string {
  const issuerUrl = issuer ?? '';
  return (URL.canParse(issuerUrl) && new URL(issuerUrl).host) || issuerUrl;
}
