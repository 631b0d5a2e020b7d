import { useClient } from '@countersign/inbox-ui/api/client-context';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { useTypedText } from '@countersign/inbox-ui/ui/use-typed-text';
import {
  Alert,
  Button,
  Group,
  List,
  Loader,
  NumberInput,
  Select,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import { ProblemError } from '@countersign/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { texts } from '../texts/index.js';
import { useUrlState } from '../ui/use-url-state.js';
import { AddFileButton } from './add-file-button.js';
import { CodeEditor } from './code-editor.js';
import { parsePolicyIssues, type PolicyIssue } from './parse-policy-issues.js';
import { TrialResult } from './trial-result.js';

const { trial: t } = texts.policies;
type PolicyFiles = Readonly<Record<string, string>>;
const MAX_RUNS = 1_000;

/**
 * Editor of a draft policy, with the selection of past runs and the result of the trial. The URL contains the selection
 * but not the draft, which may be confidential.
 */
export function TrialDraft({ files }: { readonly files: PolicyFiles }) {
  const client = useClient();
  const url = useUrlState();
  const [draft, setDraft] = useState<PolicyFiles>(files);
  const [scrollTarget, setScrollTarget] = useState<{ readonly line: number }>();
  const [triedDraft, setTriedDraft] = useState<PolicyFiles>();
  const [workflowId, setWorkflowId] = useTypedText(url.get('workflow') ?? '', (workflow) => url.set({ workflow }), 0);
  const limit = Math.min(MAX_RUNS, Math.max(1, Number.parseInt(url.get('limit') ?? '', 10) || 100));
  const trial = useMutation({
    mutationFn: (policies: PolicyFiles) =>
      client.tryPolicy({
        body: {
          policies: { ...policies },
          runs: workflowId.trim() === '' ? {} : { workflowId: workflowId.trim() },
          limit,
        },
      }),
  });
  const names = Object.keys(draft).sort();
  const name = names.find((each) => each === url.get('file')) ?? names[0] ?? '';
  const issues =
    trial.error instanceof ProblemError && trial.error.code === 'policy_invalid' && triedDraft === draft
      ? parsePolicyIssues(trial.error.problem.detail ?? '')
      : [];
  const openFile = (file: string, line?: number): void => {
    url.set({ file });
    setScrollTarget(line === undefined ? undefined : { line });
  };
  const getChangeMark = (file: string): string =>
    files[file] === undefined ? ` (${t.newMark})` : files[file] === draft[file] ? '' : ` (${t.changedMark})`;
  const startTrial = (): void => {
    setTriedDraft(draft);
    trial.mutate(draft);
  };
  return (
    <div className="cs-trial">
      <div>
        <Text size="sm">{t.intro}</Text>
        <Group align="flex-end" gap="xs">
          <Select
            label={t.file}
            w={240}
            allowDeselect={false}
            data={names.map((value) => ({ value, label: value + getChangeMark(value) }))}
            value={name}
            onChange={(file) => file !== null && openFile(file)}
          />
          <AddFileButton
            existingNames={names}
            onAdd={(file) => {
              setDraft({ ...draft, [file]: '' });
              openFile(file);
            }}
          />
          {files[name] === undefined && (
            <Button
              variant="subtle"
              onClick={() => setDraft(Object.fromEntries(Object.entries(draft).filter(([file]) => file !== name)))}
            >
              {t.removeFile}
            </Button>
          )}
          {JSON.stringify(draft) !== JSON.stringify(files) && (
            <Button variant="subtle" onClick={() => setDraft(files)}>
              {t.reset}
            </Button>
          )}
        </Group>
        <CodeEditor
          key={name}
          label={t.editor(name)}
          description={t.editorHint}
          text={draft[name] ?? ''}
          issueLines={issues.filter(({ file }) => file === name).map(({ line }) => line)}
          scrollTarget={scrollTarget}
          onChange={(text) => setDraft({ ...draft, [name]: text })}
        />
      </div>
      <div>
        <Group align="flex-end" gap="xs" role="group" aria-label={t.runs}>
          <TextInput
            label={t.workflow}
            placeholder={t.allWorkflows}
            w={180}
            value={workflowId}
            onChange={(event) => setWorkflowId(event.currentTarget.value)}
          />
          <NumberInput
            label={t.limit}
            w={150}
            min={1}
            max={MAX_RUNS}
            allowDecimal={false}
            value={limit}
            onChange={(value) => url.set({ limit: value })}
          />
          <Button onClick={startTrial} loading={trial.isPending}>
            {t.evaluate}
          </Button>
        </Group>
        <div role="status">
          {trial.isPending && (
            <Group gap="xs">
              <Loader size="xs" />
              <Text size="sm">{t.running}</Text>
            </Group>
          )}
        </div>
        {trial.isError &&
          (issues.length > 0 ? (
            <IssueList issues={issues} onOpen={({ file, line }) => openFile(file, line)} />
          ) : (
            <ProblemNotice error={trial.error} />
          ))}
        {trial.isSuccess && triedDraft !== draft && <Alert color="gray">{t.stale}</Alert>}
        {trial.isSuccess && <TrialResult trial={trial.data} />}
      </div>
    </div>
  );
}

function IssueList({ issues, onOpen }: { readonly issues: readonly PolicyIssue[]; onOpen(issue: PolicyIssue): void }) {
  return (
    <Alert color="red" role="alert" title={t.invalid}>
      <List size="sm">
        {issues.map((issue, index) => (
          <List.Item key={index}>
            <UnstyledButton onClick={() => onOpen(issue)} td="underline" fz="sm" fw={600} mih={24}>
              {t.issuePosition(issue.file, issue.line, issue.column)}
            </UnstyledButton>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {issue.message}
            </Text>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
