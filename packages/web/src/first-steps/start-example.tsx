import { useClient } from '@countersign/inbox-ui/api/client-context';
import { newIdempotencyKey } from '@countersign/inbox-ui/api/new-idempotency-key';
import { escapeInvisible } from '@countersign/inbox-ui/ui/escape-invisible';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { Button, CloseButton, Group, Paper, Text, Title } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { texts } from '../texts/index.js';
import { closeFirstSteps, startFirstSteps } from './first-steps-store.js';
import { ANY_RUN_KEY } from './use-is-empty.js';
import { loadExamples, type Example } from './load-examples.js';

const t = texts.firstSteps;

/** Card on an empty system: starts a run of an example, with its inputs. */
export function StartExample() {
  const client = useClient();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const examples = useQuery({
    queryKey: ['examples'],
    queryFn: ({ signal }) => loadExamples(client, signal),
  });
  const start = useMutation({
    mutationFn: ({ workflow: { workflowId }, inputs }: Example) =>
      client.startRun({ body: { workflowId, inputs } }, { idempotencyKey: newIdempotencyKey() }),
    onSuccess: ({ runId }) => {
      void queryClient.invalidateQueries({ queryKey: ANY_RUN_KEY });
      startFirstSteps(runId);
      void navigate(`/runs/${runId}`);
    },
  });
  // Without an example, the empty lists say enough.
  if (examples.data === undefined || examples.data.length === 0) return null;
  return (
    <Paper withBorder component="section" aria-label={t.title} className="cs-first-steps" p="md">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Title order={2} size="h4">
            {t.cardTitle}
          </Title>
          <Text size="sm">{t.cardText}</Text>
        </div>
        <CloseButton aria-label={t.close} onClick={closeFirstSteps} />
      </Group>
      <ul className="cs-examples">
        {examples.data.map((example) => (
          <ExampleItem
            key={example.workflow.workflowId}
            example={example}
            isStarting={start.isPending && start.variables === example}
            onStart={() => !start.isPending && start.mutate(example)}
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
  onStart(): void;
}

function ExampleItem({ example: { workflow }, isStarting, onStart }: ExampleItemProps) {
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
      <Button
        size="xs"
        aria-label={t.startExample(name)}
        loading={isStarting}
        leftSection={<IconPlayerPlay size={14} aria-hidden />}
        onClick={onStart}
      >
        {t.start}
      </Button>
    </li>
  );
}
