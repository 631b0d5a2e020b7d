/**
 * Returns the host of an issuer, which users recognize. An invalid URL is returned unchanged, so that the mistake is
 * visible.
 */
export function getIssuerName(issuer: string | null): string {
  const issuerUrl = issuer ?? '';
  try {
    return new URL(issuerUrl).host || issuerUrl;
  } catch {
    return issuerUrl;
  }
}
