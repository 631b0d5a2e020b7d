import { hash } from 'node:crypto';

/** Returns SHA-256 over the UTF-8 bytes of a text, in lower-case hex. */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex');
}
