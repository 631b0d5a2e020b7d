import type { IntegrityProblem } from '@countersign/contract/evidence';
import { toOneLine } from '@countersign/inbox-ui/ui/to-one-line';
import { Text, Title } from '@mantine/core';
import { texts } from '../../texts/index.js';

const t = texts.evidence;
const MAX_SHOWN = 50;

/** Lists the problems of a pack. Their places and messages contain names from the pack. */
export function EvidenceProblems({ problems }: { readonly problems: readonly IntegrityProblem[] }) {
  return (
    <section>
      <Title order={2} size="h5" mb={4}>
        {t.problems}
      </Title>
      <ul className="cs-run-evidence-list cs-run-evidence-problems" aria-label={t.problems}>
        {problems.slice(0, MAX_SHOWN).map(({ code, pointer, message }, index) => (
          <li key={index}>
            <code>{code}</code> {pointer === '' ? t.wholePack : t.problemPlace(toOneLine(pointer))}:{' '}
            {toOneLine(message, 300)}
          </li>
        ))}
      </ul>
      {problems.length > MAX_SHOWN && <Text size="sm">{t.moreProblems(problems.length - MAX_SHOWN)}</Text>}
    </section>
  );
}
