import { useClient } from '@countersign/inbox-ui/api/client-context';
import { useSession } from '@countersign/inbox-ui/session/session';
import { escapeInvisible } from '@countersign/inbox-ui/ui/escape-invisible';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { Button, CloseButton, Group, Paper, Text, Title } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useStartRun } from '../runs/use-start-run.js';
import { texts } from '../texts/index.js';
import { closeFirstSteps, startFirstSteps } from './first-steps-store.js';
import { loadExamples, type Example } from './load-examples.js';

const t = texts.firstSteps;

/**
 * Card on an empty system: starts a run of an example, with its inputs. Only development servers start it at once; on
 * other servers the examples may be real workflows, so the form is filled in for the user to check.
 */
export function StartExample() {
  const client = useClient();
  const { development } = useSession();
  const examples = useQuery({
    queryKey: ['examples'],
    queryFn: ({ signal }) => loadExamples(client, signal),
  });
  const start = useStartRun(startFirstSteps);
  // Without an example, the empty lists say enough.
  if (examples.data === undefined || examples.data.length === 0) return null;
  return (
    <Paper withBorder component="section" aria-label={t.title} className="cs-first-steps" p="md">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Title order={2} size="h4">
            {t.cardTitle}
          </Title>
          <Text size="sm">{development === undefined ? t.cardTextWithForm : t.cardText}</Text>
        </div>
        <CloseButton aria-label={t.close} onClick={closeFirstSteps} />
      </Group>
      <ul className="cs-examples">
        {examples.data.map((example) => (
          <ExampleItem
            key={example.workflow.workflowId}
            example={example}
            isStarting={start.isPending && start.variables.workflowId === example.workflow.workflowId}
            onStart={
              development === undefined
                ? undefined
                : () =>
                    !start.isPending &&
                    start.mutate({ workflowId: example.workflow.workflowId, inputs: example.inputs })
            }
          />
        ))}
      </ul>
      {start.isError && <ProblemNotice error={start.error} />}
    </Paper>
  );
}

interface ExampleItemProps {
  readonly example: Example;
  readonly isStarting: boolean;
  /** If omitted, there is a link to the form. */
  readonly onStart: (() => void) | undefined;
}

function ExampleItem({ example: { workflow, inputs }, isStarting, onStart }: ExampleItemProps) {
  const name = escapeInvisible(workflow.name ?? workflow.workflowId);
  return (
    <li>
      <div>
        <Text fw={600}>{name}</Text>
        {workflow.description !== null && (
          <Text size="sm" c="dimmed" lineClamp={2}>
            {escapeInvisible(workflow.description)}
          </Text>
        )}
      </div>
      {onStart === undefined ? (
        <Button
          component={Link}
          to={`/runs/new?${new URLSearchParams({ workflowId: workflow.workflowId, inputs: JSON.stringify(inputs) }).toString()}`}
          size="xs"
          variant="default"
          aria-label={t.openFormOf(name)}
        >
          {t.openForm}
        </Button>
      ) : (
        <Button
          size="xs"
          aria-label={t.startExample(name)}
          loading={isStarting}
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
          onClick={onStart}
        >
          {t.start}
        </Button>
      )}
    </li>
  );
}
