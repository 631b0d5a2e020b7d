import type { AsyncEvidenceCheck } from '@countersign/contract/evidence';
import { Text, Title } from '@mantine/core';
import { texts } from '../../texts/index.js';

const t = texts.evidence;
const MAX_POSITIONS = 10;

/** Lists what the check does not prove: for this pack, and for every pack. */
export function NotChecked({ check: { notCovered, uncheckedSignatures } }: { readonly check: AsyncEvidenceCheck }) {
  return (
    <section>
      <Title order={2} size="h5" mb={4}>
        {t.notChecked}
      </Title>
      <Text component="ul" size="sm" className="cs-run-evidence-bullets" aria-label={t.notChecked}>
        {uncheckedSignatures > 0 && (
          <li>
            <b>{t.uncheckedSignatures(uncheckedSignatures)}</b>
          </li>
        )}
        {notCovered.map(({ code, events, explanation }) => (
          <li key={code}>
            <b>{t.gapEvents(events.slice(0, MAX_POSITIONS).join(', '), Math.max(0, events.length - MAX_POSITIONS))}</b>{' '}
            (<code>{code}</code>): {explanation}
          </li>
        ))}
        {t.neverChecked.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </Text>
    </section>
  );
}
