import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { isNotFound } from '@countersign/inbox-ui/api/query-client';
import { EmptyState } from '@countersign/inbox-ui/ui/empty-state';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { Anchor, Badge, Code, Group, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { texts } from '../texts/index.js';
import { useUrlState } from '../ui/use-url-state.js';
import { CodeView } from './code-editor.js';

const { files: t } = texts.policies;
const DIGEST_PATTERN = /^sha256:[0-9a-f]{64}$/;

/** Shows the files of the current policy, or of an earlier one (`?digest=`). */
export function PolicyTab() {
  const client = useClient();
  const url = useUrlState();
  const requestedDigest = url.get('digest');
  const digest = requestedDigest !== undefined && DIGEST_PATTERN.test(requestedDigest) ? requestedDigest : undefined;
  const policy = useQuery({
    queryKey: [...queryKeys.policy, digest ?? 'in-force'],
    queryFn: ({ signal }) =>
      digest === undefined ? client.getPolicy({}, { signal }) : client.getPolicyVersion({ digest }, { signal }),
  });
  if (policy.isPending) return <Loading />;
  if (policy.isError)
    return digest === undefined && isNotFound(policy.error) ? (
      <EmptyState title={t.none} />
    ) : (
      <ProblemNotice error={policy.error} onRetry={() => void policy.refetch()} />
    );
  const names = Object.keys(policy.data.files).sort();
  const name = names.find((each) => each === url.get('file')) ?? names[0] ?? '';
  const text = policy.data.files[name] ?? '';
  return (
    <>
      <Group mb="sm" align="flex-end" justify="space-between">
        <Select
          label={t.file}
          w={260}
          allowDeselect={false}
          data={names}
          value={name}
          onChange={(file) => url.set({ file: file ?? undefined })}
        />
        <Group gap="xs">
          <Text size="sm">{policy.data.policyId}</Text>
          <Badge variant="light" color={policy.data.inForce ? 'green' : 'gray'} tt="none">
            {policy.data.inForce ? t.inForce : t.notInForce}
          </Badge>
          {!policy.data.inForce && (
            <Anchor component="button" type="button" size="sm" onClick={() => url.set({ digest: undefined })}>
              {t.current}
            </Anchor>
          )}
        </Group>
      </Group>
      <Group mb={6} gap="xs">
        <Text size="xs" c="dimmed">
          {t.digest}
        </Text>
        <Code style={{ overflowWrap: 'anywhere' }}>{policy.data.digest}</Code>
        <Text size="xs" c="dimmed">
          {t.lines(text.split('\n').length)}
        </Text>
      </Group>
      <CodeView label={t.content(name)} text={text} />
    </>
  );
}
