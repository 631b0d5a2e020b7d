import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { useSession } from '@countersign/inbox-ui/session/session';
import { EmptyState } from '@countersign/inbox-ui/ui/empty-state';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { Page } from '@countersign/inbox-ui/ui/page';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { SchemaForm } from '@countersign/inbox-ui/ui/schema-form';
import { Alert, Anchor, Button, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { ProblemError, type FieldError, type JsonObject, type Workflow } from '@countersign/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { findExampleInputs } from '../first-steps/find-example-inputs.js';
import { texts } from '../texts/index.js';
import { useUrlState } from '../ui/use-url-state.js';
import { canStartOnRequest, describeStarts } from '../workflows/describe-starts.js';
import { loadAllWorkflows } from './load-all-workflows.js';
import { readAuthoredSchema } from './read-authored-schema.js';
import { parseLinkInputs } from './parse-link-inputs.js';
import { useStartRun } from './use-start-run.js';

/** Page to start a run of a workflow with inputs. A URL can prefill the form but never starts a run. */
export function StartRunPage() {
  const client = useClient();
  const { me } = useSession();
  const url = useUrlState();
  const workflows = useQuery({
    queryKey: queryKeys.workflowData('', 'all'),
    queryFn: ({ signal }) => loadAllWorkflows(client, signal),
  });
  const workflow = workflows.data?.find(({ workflowId }) => workflowId === url.get('workflowId'));
  // Another workflow has other versions and inputs.
  const select = (name: 'workflowId' | 'version', value: string | null): void =>
    url.set({ ...(name === 'workflowId' && { version: undefined, inputs: undefined }), [name]: value ?? undefined });

  if (!me.may.startRun) {
    return (
      <Page title={texts.runs.start.title}>
        <EmptyState title={texts.runs.start.notAllowed} hint={texts.runs.start.notAllowedHint} />
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
                  disabled: !canStartOnRequest({ starts }) && workflowId !== workflow?.workflowId,
                }))}
                value={workflow?.workflowId ?? null}
                onChange={(value) => select('workflowId', value)}
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
                  onChange={(value) => select('version', value)}
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
  const url = useUrlState();
  const [businessKey, setBusinessKey] = useState(url.get('businessKey') ?? '');
  const detailQuery = useQuery({
    queryKey: queryKeys.workflow(workflow.workflowId, version),
    queryFn: () => client.getWorkflow({ workflowId: workflow.workflowId, ...(version !== undefined && { version }) }),
  });
  const schema = useMemo(
    () =>
      detailQuery.data === undefined || detailQuery.data.inputSchema === null
        ? null
        : (readAuthoredSchema(detailQuery.data.bpmnXml, workflow.workflowId) ?? detailQuery.data.inputSchema),
    [detailQuery.data, workflow.workflowId],
  );
  const inputsParameter = url.get('inputs');
  const linkInputs = useMemo(() => parseLinkInputs(inputsParameter), [inputsParameter]);
  const exampleInputs = useMemo(() => findExampleInputs(schema), [schema]);
  /** Number of times that the form was filled in with the example. Each one is a new form. */
  const [exampleCount, setExampleCount] = useState(0);
  /** Whether the user has typed inputs, which the example would replace. */
  const [hasTyped, setHasTyped] = useState(false);
  const initialInputs = exampleCount > 0 ? exampleInputs : 'inputs' in linkInputs ? linkInputs.inputs : undefined;
  const startMutation = useStartRun();
  const fieldErrors = useMemo(() => findInputErrors(startMutation.error), [startMutation.error]);
  if (detailQuery.isPending) return <Loading />;
  if (detailQuery.isError)
    return <ProblemNotice error={detailQuery.error} onRetry={() => void detailQuery.refetch()} />;
  const { description } = detailQuery.data;
  if (!canStartOnRequest(detailQuery.data))
    return (
      <Alert color="yellow" title={texts.runs.start.notOnRequest}>
        {describeStarts(detailQuery.data)}
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
      {'error' in linkInputs && <Alert color="yellow">{texts.runs.start.invalidInputs[linkInputs.error]}</Alert>}
      {'inputs' in linkInputs && exampleCount === 0 && <Alert color="blue">{texts.runs.start.prefilled}</Alert>}
      {exampleInputs !== undefined && !hasTyped && (
        <Button
          variant="default"
          size="xs"
          style={{ alignSelf: 'start' }}
          onClick={() => setExampleCount(exampleCount + 1)}
        >
          {texts.runs.start.fillInExample}
        </Button>
      )}
      <SchemaForm
        key={exampleCount}
        onDraft={() => setHasTyped(true)}
        schema={schema}
        label={texts.runs.start.inputs}
        initial={initialInputs}
        submitLabel={texts.runs.start.submit}
        busy={startMutation.isPending || startMutation.isSuccess}
        errors={fieldErrors}
        onSubmit={(entered) =>
          startMutation.mutate({
            workflowId: workflow.workflowId,
            inputs: (entered ?? {}) as JsonObject,
            ...(version !== undefined && { version }),
            ...(businessKey !== '' && { businessKey }),
          })
        }
      >
        <Button component={Link} to="/runs" variant="default">
          {texts.app.cancel}
        </Button>
      </SchemaForm>
      {startMutation.error !== null && fieldErrors.length === 0 && <ProblemNotice error={startMutation.error} />}
      <Anchor component={Link} to={`/workflows/${encodeURIComponent(workflow.workflowId)}`} size="sm">
        {texts.runs.start.seeWorkflow}
      </Anchor>
    </>
  );
}

const NO_ERRORS: readonly FieldError[] = [];

/** Returns the field errors of the inputs, with pointers relative to the inputs. */
function findInputErrors(error: unknown): readonly FieldError[] {
  if (!(error instanceof ProblemError)) return NO_ERRORS;
  const inputErrors = error.errors.filter(({ pointer }) => pointer === '/inputs' || pointer.startsWith('/inputs/'));
  return inputErrors.length === 0
    ? NO_ERRORS
    : inputErrors.map((each) => ({ ...each, pointer: each.pointer.slice('/inputs'.length) }));
}
