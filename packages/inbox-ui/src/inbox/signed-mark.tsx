import { Text } from '@mantine/core';
import type { Vote } from '@countersign/contract';
import { IconSignature } from '@tabler/icons-react';
import { texts } from '../texts/index.js';
import { toOneLine } from '../ui/to-one-line.js';

/** Length of the displayed prefix of a key id; the whole id is displayed on hover. */
const KEY_ID_PREFIX_LENGTH = 12;
const t = texts.approvals;

interface SignedMarkProps {
  readonly vote: Pick<Vote, 'signature' | 'keyId'>;
  /** The user's names for their own keys. */
  readonly names: ReadonlyMap<string, string>;
}

/** Mark of a signed vote, with the signing key. */
export function SignedMark({ vote: { signature, keyId }, names }: SignedMarkProps) {
  if (signature === null || keyId === null) return null;
  const name = names.get(keyId);
  return (
    <Text component="span" size="xs" c="dimmed" className="cs-signed" title={t.keyId(keyId)}>
      <IconSignature size={14} aria-hidden />{' '}
      {t.signedWith(name === undefined ? undefined : toOneLine(name, 60), keyId.slice(0, KEY_ID_PREFIX_LENGTH))}
    </Text>
  );
}
