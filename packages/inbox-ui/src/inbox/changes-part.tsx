import { Stack, Text, Title } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { compareRounds } from './compare-rounds.js';
import { DecisionPart } from './decision-part.js';
import { EvidenceDiff } from './evidence-diff.js';
import type { EvidenceSource } from './evidence-source.js';
import { Fields, SubjectValue } from './fields.js';
import { escapeInvisible } from '../ui/escape-invisible.js';
import { fillsWidth, SubjectFieldValue } from './subject-field-value.js';
import { JsonChangesTable } from './json-changes-table.js';

interface ChangesPartProps {
  readonly approval: Approval;
  /** The previous round, if any. */
  readonly previous: Approval | undefined;
  readonly evidence: EvidenceSource;
  /** The workflow diagram with the step highlighted. */
  readonly diagram: ReactNode;
}

const t = texts.approvals;

/**
 * Shows the content to approve: the fields that the BPMN model presents, all arguments or inputs, their changes since the previous round, and the step in the
 * workflow.
 */
export function ChangesPart({ approval, previous, evidence, diagram }: ChangesPartProps) {
  const { subject } = approval;
  const label = subject.kind === 'tool_call' ? t.arguments : t.inputs;
  const entries = Object.entries(subject.inputs);
  const fields = subject.kind === 'user_task' ? (subject.fields ?? []) : [];
  return (
    <DecisionPart title={t.parts.changes}>
      <Stack gap="md">
        {subject.kind === 'tool_call' && <CallFields subject={subject} />}
        {fields.length > 0 && (
          <Fields
            label={t.presentedFields}
            fields={fields.map(
              (field, index) =>
                [
                  escapeInvisible(field.label),
                  <SubjectFieldValue key={index} field={field} />,
                  fillsWidth(field) ? ('fills' as const) : undefined,
                ] as const,
            )}
          />
        )}
        <div>
          <Title order={4} size="h6" mb={4}>
            {label}
          </Title>
          {entries.length === 0 ? (
            <Text size="sm" c="dimmed">
              {subject.kind === 'tool_call' ? t.noArguments : t.noInputs}
            </Text>
          ) : (
            <Fields
              label={label}
              fields={entries.map(
                ([name, value]) => [name, <SubjectValue key={name} value={value} label={name} />] as const,
              )}
            />
          )}
        </div>
        {previous !== undefined && <ChangesSincePrevious previous={previous} approval={approval} evidence={evidence} />}
        {diagram !== undefined && (
          <div>
            <Title order={4} size="h6" mb={4}>
              {t.step}
            </Title>
            {diagram}
          </div>
        )}
      </Stack>
    </DecisionPart>
  );
}

function CallFields({ subject }: { readonly subject: Extract<Approval['subject'], { kind: 'tool_call' }> }) {
  const { tool, agent, editedBy, hosts, taint, reversible } = subject;
  const fields: (readonly [string, string])[] = [
    [t.tool, tool],
    [t.agent, agent.name],
    ...(editedBy === null ? [] : [[t.editedBy, editedBy] as const]),
    ...(hosts.length === 0 ? [] : [[t.hosts, hosts.join(', ')] as const]),
    ...(taint.length === 0 ? [] : [[t.taint, taint.join(', ')] as const]),
    [t.reversible, reversible ? t.yes : t.no],
  ];
  return <Fields label={t.tool} fields={fields} />;
}

function ChangesSincePrevious({
  previous,
  approval,
  evidence,
}: {
  readonly previous: Approval;
  readonly approval: Approval;
  readonly evidence: EvidenceSource;
}) {
  const { inputs, evidence: artifacts } = compareRounds(previous, approval);
  const isUnchanged = inputs.changes.length === 0 && artifacts.length === 0;
  return (
    <div>
      <Title order={4} size="h6" mb={4}>
        {t.sinceRound(previous.round)}
      </Title>
      {isUnchanged && (
        <Text size="sm" c="dimmed">
          {t.notDifferent}
        </Text>
      )}
      {inputs.changes.length > 0 && <JsonChangesTable {...inputs} />}
      {artifacts.map((each) => (
        <EvidenceDiff key={each.name} change={each} runId={approval.runId} source={evidence} />
      ))}
    </div>
  );
}
