import { useClient } from '@countersign/inbox-ui/api/client-context';
import { keys } from '@countersign/inbox-ui/api/keys';
import { newIdempotencyKey } from '@countersign/inbox-ui/api/new-idempotency-key';
import { IdempotencyKeyHolder } from '@countersign/inbox-ui/api/idempotency-key-holder';
import { useSession } from '@countersign/inbox-ui/session/session';
import { EmptyState } from '@countersign/inbox-ui/ui/empty-state';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { Page } from '@countersign/inbox-ui/ui/page';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { SchemaForm } from '@countersign/inbox-ui/ui/schema-form';
import { Alert, Anchor, Button, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { ProblemError, type FieldError, type Workflow } from '@countersign/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { texts } from '../texts/index.js';
import { useUrlState } from '../ui/use-url-state.js';
import { startsOnRequest, whatStarts } from '../workflows/what-starts.js';
import { allWorkflows } from './all-workflows.js';
import { authoredSchema } from './authored-schema.js';
import { inputsOf } from './start-link.js';

/** Starts a run of a workflow with inputs. An address can fill in the form but never starts a run. */
export function StartRunPage() {
  const client = useClient();
  const { me } = useSession();
  const url = useUrlState();
  const workflows = useQuery({
    queryKey: keys.ofWorkflow('', 'all'),
    queryFn: ({ signal }) => allWorkflows(client, signal),
  });
  const workflow = workflows.data?.find(({ workflowId }) => workflowId === url.get('workflowId'));
  // Another workflow has other versions and inputs.
  const choose = (name: 'workflowId' | 'version', value: string | null): void =>
    url.set({ ...(name === 'workflowId' && { version: undefined, inputs: undefined }), [name]: value ?? undefined });

  if (!me.may.startRun) {
    return (
      <Page title={texts.runs.start.title}>
        <EmptyState title={texts.runs.start.mayNot} hint={texts.runs.start.mayNotHint} />
      </Page>
    );
  }
  return (
    <Page title={texts.runs.start.title}>
      <Stack maw={760} gap="lg" pb="xl">
        {workflows.isPending && <Loading />}
        {workflows.isError && <ProblemNotice error={workflows.error} onRetry={() => void workflows.refetch()} />}
        {workflows.isSuccess && workflows.data.length === 0 && (
          <EmptyState title={texts.runs.start.none} hint={texts.runs.start.noneHint} />
        )}
        {workflows.isSuccess && workflows.data.length > 0 && (
          <>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <Select
                label={texts.runs.start.workflow}
                placeholder={texts.runs.start.choose}
                searchable
                required
                nothingFoundMessage={texts.palette.nothing}
                data={workflows.data.map(({ workflowId, name, starts }) => ({
                  value: workflowId,
                  label: name === null || name === workflowId ? workflowId : `${name} (${workflowId})`,
                  disabled: !startsOnRequest({ starts }) && workflowId !== workflow?.workflowId,
                }))}
                value={workflow?.workflowId ?? null}
                onChange={(value) => choose('workflowId', value)}
                maxDropdownHeight={320}
              />
              {workflow !== undefined && (
                <Select
                  label={texts.runs.start.version}
                  data={workflow.versions.map(({ version }, index) => ({
                    value: index === 0 ? '' : String(version),
                    label: index === 0 ? texts.runs.start.newest(version) : String(version),
                  }))}
                  value={url.get('version') ?? ''}
                  onChange={(value) => choose('version', value)}
                  allowDeselect={false}
                />
              )}
            </SimpleGrid>
            {url.get('workflowId') !== undefined && workflow === undefined && (
              <Alert color="yellow">{texts.runs.start.unknown(url.get('workflowId') ?? '')}</Alert>
            )}
            {workflow !== undefined && (
              <StartForm
                key={`${workflow.workflowId}:${url.get('version') ?? ''}`}
                workflow={workflow}
                version={Number(url.get('version')) || undefined}
              />
            )}
          </>
        )}
      </Stack>
    </Page>
  );
}

function StartForm({ workflow, version }: { readonly workflow: Workflow; readonly version: number | undefined }) {
  const client = useClient();
  const navigate = useNavigate();
  const url = useUrlState();
  const [businessKey, setBusinessKey] = useState(url.get('businessKey') ?? '');
  const detail = useQuery({
    queryKey: keys.workflow(workflow.workflowId, version),
    queryFn: () => client.getWorkflow({ workflowId: workflow.workflowId, ...(version !== undefined && { version }) }),
  });
  const schema = useMemo(
    () =>
      detail.data === undefined || detail.data.inputSchema === null
        ? null
        : (authoredSchema(detail.data.bpmnXml, workflow.workflowId) ?? detail.data.inputSchema),
    [detail.data, workflow.workflowId],
  );
  const inputs = url.get('inputs');
  const given = useMemo(() => inputsOf(inputs), [inputs]);
  const [requestKey] = useState(() => new IdempotencyKeyHolder(newIdempotencyKey));
  const start = useMutation({
    mutationFn: (entered: unknown) => {
      const body = {
        workflowId: workflow.workflowId,
        inputs: entered as Record<string, never>,
        ...(version !== undefined && { version }),
        ...(businessKey !== '' && { businessKey }),
      };
      return client.startRun({ body }, { idempotencyKey: requestKey.of(body) });
    },
    onSuccess: ({ runId }) => {
      requestKey.ended();
      void navigate(`/runs/${runId}`);
    },
    onError: (error) => requestKey.ended(error),
  });
  const fieldErrors = useMemo(() => ofInputs(start.error), [start.error]);
  if (detail.isPending) return <Loading />;
  if (detail.isError) return <ProblemNotice error={detail.error} onRetry={() => void detail.refetch()} />;
  const { description } = detail.data;
  if (!startsOnRequest(detail.data))
    return (
      <Alert color="yellow" title={texts.runs.start.notOnRequest}>
        {whatStarts(detail.data)}
      </Alert>
    );
  return (
    <>
      {description !== null && (
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      )}
      <TextInput
        label={texts.runs.businessKey}
        description={texts.runs.start.businessKeyHint}
        maxLength={255}
        value={businessKey}
        onChange={(event) => setBusinessKey(event.currentTarget.value)}
      />
      {'fault' in given && <Alert color="yellow">{texts.runs.start.badInputs[given.fault]}</Alert>}
      {'inputs' in given && <Alert color="blue">{texts.runs.start.prefilled}</Alert>}
      <SchemaForm
        schema={schema}
        label={texts.runs.start.inputs}
        initial={'inputs' in given ? given.inputs : undefined}
        submitLabel={texts.runs.start.submit}
        busy={start.isPending || start.isSuccess}
        errors={fieldErrors}
        onSubmit={(entered) => start.mutate(entered ?? {})}
      >
        <Button component={Link} to="/runs" variant="default">
          {texts.app.cancel}
        </Button>
      </SchemaForm>
      {start.error !== null && fieldErrors.length === 0 && <ProblemNotice error={start.error} />}
      <Anchor component={Link} to={`/workflows/${encodeURIComponent(workflow.workflowId)}`} size="sm">
        {texts.runs.start.seeWorkflow}
      </Anchor>
    </>
  );
}

const NO_ERRORS: readonly FieldError[] = [];

/** Returns the field errors that concern an input, with pointers into the inputs. */
function ofInputs(error: unknown): readonly FieldError[] {
  if (!(error instanceof ProblemError)) return NO_ERRORS;
  const found = error.errors.filter(({ pointer }) => pointer === '/inputs' || pointer.startsWith('/inputs/'));
  return found.length === 0
    ? NO_ERRORS
    : found.map((each) => ({ ...each, pointer: each.pointer.slice('/inputs'.length) }));
}
