import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { ConfirmDialog } from '@countersign/inbox-ui/ui/confirm-dialog';
import { Alert, Table, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ProblemError, type Setting } from '@countersign/contract';
import { useQueryClient } from '@tanstack/react-query';
import { texts } from '../texts/index.js';
import type { SettingChanges } from './catalogue.js';
import { getErrorsByKey } from './setting-values.js';
import { ValueText } from './setting-row.js';
import { TableHead } from '../ui/table-head.js';

const t = texts.settings;

interface ReviewDialogProps {
  readonly opened: boolean;
  readonly settings: readonly Setting[];
  readonly changes: SettingChanges;
  /** Receives the error messages for the values that the server refused, by setting key. */
  onErrors(errors: ReadonlyMap<string, string>): void;
  onSaved(): void;
  onClose(): void;
}

/** Shows the old and new values to save, and saves all or none. */
export function ReviewDialog({ opened, settings, changes, onErrors, onSaved, onClose }: ReviewDialogProps) {
  const client = useClient();
  const queryClient = useQueryClient();
  const changedSettings = settings.filter(({ key }) => changes.has(key));
  const restartCount = changedSettings.filter(({ restartRequired }) => restartRequired).length;
  const save = async (): Promise<void> => {
    try {
      queryClient.setQueryData(
        queryKeys.settings,
        await client.updateSettings({ body: { values: Object.fromEntries(changes) } }),
      );
    } catch (error) {
      if (error instanceof ProblemError) onErrors(getErrorsByKey(error.errors));
      throw error;
    }
    notifications.show({ message: t.saved(changes.size), color: 'green' });
    onSaved();
  };
  return (
    <ConfirmDialog
      title={t.reviewTitle}
      opened={opened}
      confirmLabel={t.save}
      canConfirm={changedSettings.length > 0}
      onConfirm={save}
      onClose={onClose}
    >
      <Text size="sm">{t.reviewAll}</Text>
      <Table aria-label={t.reviewTitle} layout="fixed">
        <TableHead columns={[t.key, t.before, t.after]} />
        <Table.Tbody>
          {changedSettings.map(({ key, value }) => {
            const newValue = changes.get(key) ?? null;
            return (
              <Table.Tr key={key}>
                <Table.Th scope="row" style={{ overflowWrap: 'anywhere' }}>
                  {key}
                </Table.Th>
                <Table.Td className="cs-setting-value">
                  <ValueText value={value} />
                </Table.Td>
                <Table.Td className="cs-setting-value">
                  {newValue === null ? t.resetPending : <ValueText value={newValue} />}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
      {restartCount > 0 && <Alert color="yellow">{t.reviewRestart(restartCount)}</Alert>}
    </ConfirmDialog>
  );
}
