import { CopyButton } from '@countersign/inbox-ui/ui/copy-button';
import { toOneLine } from '@countersign/inbox-ui/ui/to-one-line';
import { texts } from '../../texts/index.js';

/** Length of the displayed prefix, without the name of the algorithm. */
const PREFIX_LENGTH = 12;

interface ShortDigestProps {
  /** Untrusted text. */
  readonly digest: string | null;
  readonly copyLabel: string;
}

/** The first characters of a digest, and a button that copies all. */
export function ShortDigest({ digest, copyLabel }: ShortDigestProps) {
  if (digest === null) return <span>{texts.evidence.unknown}</span>;
  const hex = digest.replace(/^sha256:/, '');
  return (
    <span className="cs-run-evidence-digest">
      <code title={toOneLine(digest)}>
        {toOneLine(hex.slice(0, PREFIX_LENGTH))}
        {hex.length > PREFIX_LENGTH && '…'}
      </code>
      <CopyButton text={() => digest} label={copyLabel} />
    </span>
  );
}
