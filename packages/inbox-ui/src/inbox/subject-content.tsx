import { Stack, Text, Title } from '@mantine/core';
import { escapePointer, type Approval } from '@countersign/contract';
import { LineComments } from '../comments/line-comments.js';
import { texts } from '../texts/index.js';
import { escapeInvisible } from '../ui/escape-invisible.js';
import { ChangeValue } from './change-value.js';
import { Fields, type Field } from './fields.js';
import { splitChange } from './split-change.js';
import { fillsWidth, SubjectFieldValue } from './subject-field-value.js';
import { needsWidth, SubjectValue } from './subject-value.js';
import { useSeenWhole } from './use-seen-whole.js';

const t = texts.approvals;

interface SubjectContentProps {
  readonly subject: Approval['subject'];
  /** Whether all of it was in view earlier. */
  readonly wasSeen: boolean;
  /** Called when all of it has been in view. */
  onSeen(): void;
}

/** What is approved: the fields that the BPMN model presents, and all inputs or arguments. */
export function SubjectContent({ subject, wasSeen, onSeen }: SubjectContentProps) {
  const container = useSeenWhole(wasSeen, onSeen);
  const presentedFields = subject.kind === 'user_task' ? (subject.fields ?? []) : [];
  const label = subject.kind === 'tool_call' ? t.arguments : t.inputs;
  const fields = buildInputFields(subject.inputs);
  return (
    <Stack gap="md" ref={container}>
      {subject.kind === 'tool_call' && <CallFields subject={subject} />}
      {presentedFields.length > 0 && (
        <Fields
          label={t.presentedFields}
          fields={presentedFields.map((field, index): Field => [
            escapeInvisible(field.label),
            <LineComments key={index} text={{ pointer: `/fields/${index}/value` }}>
              <SubjectFieldValue field={field} />
            </LineComments>,
            fillsWidth(field) ? 'fills' : undefined,
          ])}
        />
      )}
      <div>
        <Title order={4} size="h6" mb={4}>
          {label}
        </Title>
        {fields.length === 0 ? (
          <Text size="sm" c="dimmed">
            {subject.kind === 'tool_call' ? t.noArguments : t.noInputs}
          </Text>
        ) : (
          <Fields label={label} fields={fields} />
        )}
      </div>
    </Stack>
  );
}

/** Returns the inputs in their order. Inputs `before` and `after` are compared. */
function buildInputFields(inputs: Approval['subject']['inputs']): Field[] {
  const change = splitChange(inputs);
  const others = Object.entries(change === undefined ? inputs : change.rest).map(([name, value]): Field => [
    escapeInvisible(name),
    <LineComments key={name} text={{ pointer: `/inputs/${escapePointer(name)}` }}>
      <SubjectValue value={value} label={name} />
    </LineComments>,
    needsWidth(value) ? 'fills' : undefined,
  ]);
  if (change === undefined) return others;
  const { before, after } = change;
  return [
    [
      t.beforeAndAfter,
      <LineComments key="change" text={{ pointer: '/inputs' }}>
        <ChangeValue before={before} after={after} label={t.change} />
      </LineComments>,
      'fills',
    ],
    ...others,
  ];
}

function CallFields({ subject }: { readonly subject: Extract<Approval['subject'], { kind: 'tool_call' }> }) {
  const { tool, agent, editedBy, hosts, taint, reversible } = subject;
  const fields: readonly Field[] = [
    [t.tool, tool],
    [t.agent, agent.name],
    ...(editedBy === null ? [] : [[t.editedBy, editedBy] as const]),
    ...(hosts.length === 0 ? [] : [[t.hosts, hosts.join(', ')] as const]),
    ...(taint.length === 0 ? [] : [[t.taint, taint.join(', ')] as const]),
    [t.reversible, reversible ? t.yes : t.no],
  ];
  return <Fields label={t.tool} fields={fields} />;
}
