import { formatDuration } from '@countersign/inbox-ui/time/format-time';
import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { useNow } from '@countersign/inbox-ui/time/use-now';
import { useSession } from '@countersign/inbox-ui/session/session';
import { RiskBadge, RunStatusBadge } from '@countersign/inbox-ui/ui/badges';
import { escapeInvisible } from '@countersign/inbox-ui/ui/escape-invisible';
import { ActionIcon, Anchor, Code, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { texts } from '../texts/index.js';
import type { RunPartProps } from './run-part-props.js';
import { showsEngine } from './shows-engine.js';

/** Shows the name and the status of the run. */
export function RunHeading({ run, workflow }: RunPartProps) {
  return (
    <Group gap="sm" component="span">
      <Text
        span
        inherit
        lineClamp={2}
        title={escapeInvisible(workflow.name ?? run.workflowId)}
        style={{ overflowWrap: 'anywhere' }}
      >
        {escapeInvisible(workflow.name ?? run.workflowId)}
      </Text>
      <RunStatusBadge run={run} />
      <RiskBadge level={run.riskLevel} />
    </Group>
  );
}

/**
 * Shows the id, workflow version, business key, start, duration, parent and engine of the run. The engine is shown if the
 * installation may have several.
 */
export function RunFacts({ run, workflow }: RunPartProps) {
  const { me } = useSession();
  const newestVersion = workflow.versions[0]?.version ?? run.workflowVersion;
  return (
    <Group component="dl" className="cs-run-facts" gap="lg">
      <Fact name={texts.run.id}>
        <Code>
          {run.runId.slice(0, 8)}…{run.runId.slice(-4)}
        </Code>
        <CopyButton value={run.runId}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? texts.run.copied : texts.run.copyId}>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                aria-label={copied ? texts.run.copied : texts.run.copyId}
                onClick={copy}
              >
                {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </Fact>
      <Fact name={texts.run.workflow}>
        <Anchor
          component={Link}
          size="sm"
          to={`/workflows/${encodeURIComponent(run.workflowId)}?version=${run.workflowVersion}`}
        >
          {texts.run.version(run.workflowVersion)}
        </Anchor>
        <Text span size="sm" c="dimmed">
          {newestVersion === run.workflowVersion ? texts.run.isNewest : texts.run.newestIs(newestVersion)}
        </Text>
      </Fact>
      {run.businessKey !== null && (
        <Fact name={texts.run.businessKey}>
          <Text
            span
            inherit
            lineClamp={2}
            title={escapeInvisible(run.businessKey)}
            style={{ overflowWrap: 'anywhere' }}
          >
            {escapeInvisible(run.businessKey)}
          </Text>
        </Fact>
      )}
      <Fact name={texts.run.started}>
        <Timestamp at={run.startedAt} />
        <Text span size="sm" c="dimmed">
          {texts.run.by(run.startedBy)}
        </Text>
      </Fact>
      <Fact name={texts.run.duration}>
        <Duration from={run.startedAt} to={run.completedAt} />
      </Fact>
      {showsEngine(run, me) && <Fact name={texts.run.engine}>{run.engine}</Fact>}
      {run.parentRunId !== null && (
        <Fact name={texts.run.calledBy}>
          <Anchor component={Link} size="sm" to={`/runs/${run.parentRunId}`}>
            {texts.run.parent}
          </Anchor>
        </Fact>
      )}
    </Group>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="cs-run-fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Duration({ from, to }: { readonly from: string; readonly to: string | null }) {
  const now = useNow();
  return <span>{formatDuration((to === null ? now : Date.parse(to)) - Date.parse(from))}</span>;
}
