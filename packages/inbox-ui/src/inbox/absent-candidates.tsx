import { Text } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { Until } from '../time/until.js';
import { toOneLine } from '../ui/to-one-line.js';

const t = texts.absence;

/** Lists the absent candidates with their substitutes. */
export function AbsentCandidates({ absences }: Pick<Approval, 'absences'>) {
  return absences.map(({ subject, substitute, until }) => (
    <Text size="sm" key={subject}>
      {t.isAway(toOneLine(subject, 60))} <Until at={until} />.{' '}
      {substitute !== null && t.inTheirPlace(toOneLine(substitute, 60))}
    </Text>
  ));
}
