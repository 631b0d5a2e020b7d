import { CopyButton } from '@countersign/inbox-ui/ui/copy-button';
import { Facts } from '@countersign/inbox-ui/ui/facts';
import { Code, Group, Stack, Text } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { Link } from 'react-router';
import { texts } from '../../texts/index.js';
import { ValueView } from '../../ui/value-view.js';

const t = texts.runApprovals;

/** Shows the subject of an approval, exactly as users see it when they vote, with its digest. */
export function ApprovalSubject({ approval: { runId, subject, digest } }: { readonly approval: Approval }) {
  const label = subject.kind === 'tool_call' ? t.arguments : t.inputs;
  return (
    <Stack gap="xs">
      {subject.kind === 'tool_call' && (
        <Facts
          facts={[
            [t.tool, <Code key="tool">{subject.tool}</Code>],
            [
              t.effect,
              `${texts.step.work.effects[subject.effect]}${!subject.reversible && subject.effect === 'write' ? `, ${texts.step.work.irreversible}` : ''}`,
            ],
            [t.hosts, subject.hosts.length === 0 ? undefined : subject.hosts.join(', ')],
            [t.taint, subject.taint.length === 0 ? undefined : subject.taint.join(', ')],
            [t.agent, subject.agent.name],
            [t.edited, subject.editedBy],
            [t.policy, subject.policy.id],
          ]}
        />
      )}
      <div>
        <Text size="xs" fw={600} mb={4}>
          {label}
        </Text>
        <ValueView value={subject.inputs} label={label} maxHeight={280} />
      </div>
      {subject.evidence.length > 0 && <Evidence runId={runId} evidence={subject.evidence} />}
      <Group gap={4}>
        <Text size="xs" c="dimmed">
          {t.digest} <code>{digest.slice(0, 19)}…</code>
        </Text>
        <CopyButton text={() => digest} label={t.copyDigest} />
      </Group>
    </Stack>
  );
}

function Evidence({ runId, evidence }: { readonly runId: string; readonly evidence: Approval['subject']['evidence'] }) {
  return (
    <div>
      <Text size="xs" fw={600}>
        {t.evidence}
      </Text>
      <Stack component="ul" gap={2} m={0} p={0} style={{ listStyle: 'none' }} aria-label={t.evidence}>
        {evidence.map(({ name, version, sha256 }) => (
          <Group component="li" key={name} gap={8}>
            {version === null || sha256 === null ? (
              <Text size="sm">{t.missing(name)}</Text>
            ) : (
              <>
                <Link
                  className="cs-link"
                  to={`/runs/${encodeURIComponent(runId)}?${new URLSearchParams({ tab: 'artifacts', artifact: name, version: String(version) }).toString()}`}
                >
                  {t.artifact(name, version)}
                </Link>
                <code>{sha256.slice(0, 12)}…</code>
                <CopyButton text={() => sha256} label={t.copyHash(name)} />
              </>
            )}
          </Group>
        ))}
      </Stack>
    </div>
  );
}
