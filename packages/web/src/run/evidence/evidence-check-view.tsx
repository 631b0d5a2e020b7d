import type { AsyncEvidenceCheck } from '@countersign/contract/evidence';
import { Badge, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconMinus, IconX, type TablerIcon } from '@tabler/icons-react';
import { texts } from '../../texts/index.js';
import { evaluateCheck, type CheckedPart, type PartResult } from './evaluate-check.js';
import { EvidenceProblems } from './evidence-problems.js';
import { NotChecked } from './not-checked.js';
import type { EvidenceContents } from './read-evidence-contents.js';
import { ShortDigest } from './short-digest.js';

const t = texts.evidence;
const RESULT_STYLES: Readonly<Record<PartResult, readonly [string, TablerIcon]>> = {
  passed: ['green', IconCheck],
  failed: ['red', IconX],
  incomplete: ['yellow', IconAlertTriangle],
  absent: ['gray', IconMinus],
};

interface EvidenceCheckViewProps {
  readonly check: AsyncEvidenceCheck;
  readonly contents: EvidenceContents;
}

/** Shows the problems that the check found, what was checked and what was not. */
export function EvidenceCheckView({ check, contents }: EvidenceCheckViewProps) {
  const { parts } = evaluateCheck(check);
  return (
    <>
      {check.problems.length > 0 && <EvidenceProblems problems={check.problems} />}
      <div className="cs-run-evidence-columns">
        <section>
          <Title order={2} size="h5" mb={4}>
            {t.checked}
          </Title>
          <Stack component="ul" gap={8} m={0} p={0} className="cs-run-evidence-list" aria-label={t.checked}>
            {Object.entries(describeParts(check, contents)).map(([part, hint]) => (
              <Part key={part} name={t.parts[part as CheckedPart]} result={parts[part as CheckedPart]} hint={hint} />
            ))}
          </Stack>
          <Text size="sm" mt="xs" component="div">
            {t.head} <ShortDigest digest={contents.headHash} copyLabel={t.copyHead} />
          </Text>
          <Text size="xs" c="dimmed">
            {t.headHint}
          </Text>
        </section>
        <NotChecked check={check} />
      </div>
    </>
  );
}

function describeParts(check: AsyncEvidenceCheck, contents: EvidenceContents): Record<CheckedPart, string> {
  return {
    history: t.partHints.history(contents.eventCount, contents.auditEventCount),
    people: t.partHints.people,
    statements: t.partHints.statements,
    documents: t.partHints.documents(contents.approvalCount, contents.modelCount),
    signatures: t.partHints.signatures(check.verifiedSignatures, check.uncheckedSignatures),
  };
}

interface PartProps {
  readonly name: string;
  readonly result: PartResult;
  readonly hint: string;
}

function Part({ name, result, hint }: PartProps) {
  const [color, Icon] = RESULT_STYLES[result];
  return (
    <li>
      <div className="cs-run-evidence-line">
        <b>{name}</b>
        <Badge
          className="cs-badge"
          variant="light"
          color={color}
          tt="none"
          leftSection={<Icon size={12} aria-hidden />}
        >
          {t.results[result]}
        </Badge>
      </div>
      <Text size="sm" c="dimmed">
        {hint}
      </Text>
    </li>
  );
}
