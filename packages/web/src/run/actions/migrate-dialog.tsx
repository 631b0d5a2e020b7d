import { useClient } from '@countersign/inbox-ui/api/client-context';
import { Alert, List, Stack, Text } from '@mantine/core';
import type { MigrationPlan, Run } from '@countersign/contract';
import { texts } from '../../texts/index.js';
import { PlanDialog } from '../../ui/plan-dialog.js';
import { getElementLabel } from '../steps/step-rows.js';
import { PlanNotes, PlanPart } from './plan-parts.js';

interface MigrateDialogProps {
  readonly run: Run;
  readonly version: number;
  onDone(): void;
  onClose(): void;
}

/** Shows the plan of a migration to another version, or the reasons why the run cannot be migrated. */
export function MigrateDialog({ run: { runId }, version, onDone, onClose }: MigrateDialogProps) {
  const client = useClient();
  return (
    <PlanDialog
      opened
      title={texts.run.migrate.title(version)}
      planKey={[runId, 'migrate', version]}
      plan={() => client.migrateRun({ runId, body: { version }, dryRun: true })}
      confirmLabel={texts.run.migrate.confirm}
      canConfirm={({ refusals }) => refusals.length === 0}
      onConfirm={async () => {
        await client.migrateRun({ runId, body: { version } });
        onDone();
      }}
      onClose={onClose}
    >
      {(plan) => <MigrationPlanPanel plan={plan} />}
    </PlanDialog>
  );
}

function MigrationPlanPanel({
  plan: { from, to, moves, opened, closed, restarted, askedAgain, refusals, notes },
}: {
  readonly plan: MigrationPlan;
}) {
  const changedMoves = moves.filter((move) => move.from !== move.to);
  return (
    <Stack gap="sm">
      <Text size="sm">{texts.run.migrate.fromTo(from.version, to.version, moves.length)}</Text>
      {refusals.length > 0 && (
        <Alert color="red" title={texts.run.migrate.refused}>
          <List size="sm">
            {refusals.map(({ code, elementId, reason }) => (
              <List.Item key={`${code} ${elementId}`}>{reason}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <PlanPart
        title={texts.run.migrate.moves}
        items={changedMoves.map((move) => texts.run.migrate.move(move.from, move.to))}
      />
      <PlanPart
        title={texts.run.migrate.opened}
        items={opened.map(({ elementId, kind }) => texts.run.plan.wait(kind, elementId))}
      />
      <PlanPart
        title={texts.run.migrate.closed}
        items={closed.map(({ elementId, kind }) => texts.run.plan.wait(kind, elementId))}
      />
      <PlanPart title={texts.run.migrate.restarted} items={restarted} />
      <PlanPart title={texts.run.migrate.renewedApprovals} items={askedAgain.map(getElementLabel)} />
      <PlanNotes notes={notes} />
    </Stack>
  );
}
