import { Alert, Divider, Modal, Stack, Text } from '@mantine/core';
import { queryKeys, useClient } from '@countersign/inbox-ui';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ActionResult } from '../../common/bridge.js';
import type { SigningState } from '../../common/signing.js';
import { texts } from '../app/texts.js';
import { EnrolKey } from './enrol-key.js';
import { DeviceKeyDetails } from './device-key-details.js';
import { OtherKeys } from './other-keys.js';
import { SetUpKey } from './set-up-key.js';

interface SigningDialogProps {
  readonly state: SigningState;
  readonly opened: boolean;
  onClose(): void;
}

/** Runs actions that the user confirms in a system dialog, and reports progress and failures. */
export interface ActionRunner {
  readonly busy: boolean;
  run(action: () => Promise<ActionResult>): void;
}

/** Dialog with the signing key of this device and the other keys of the signed-in user. */
export function SigningDialog({ state, opened, onClose }: SigningDialogProps) {
  const client = useClient();
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const { data } = useQuery({
    queryKey: queryKeys.signingKeys,
    queryFn: ({ signal }) => client.listMySigningKeys({ limit: 200 }, { signal }),
    enabled: opened,
  });
  const run = (action: () => Promise<ActionResult>): void => {
    setBusy(true);
    setFailure(undefined);
    const finish = (message?: string): void => {
      setBusy(false);
      setFailure(message);
      void queryClient.invalidateQueries({ queryKey: queryKeys.signingKeys });
    };
    // No message if the user declined in the dialog.
    action().then(
      (result) => finish(result.ok || result.code === 'declined' ? undefined : result.message),
      () => finish(texts.signing.failed),
    );
  };
  const close = (): void => {
    setFailure(undefined);
    onClose();
  };
  const actionRunner: ActionRunner = { busy, run };
  const { status, key } = state;
  return (
    <Modal opened={opened} onClose={close} title={texts.signing.title} size="lg" centered>
      <Stack>
        {status !== 'off' && status !== 'none' && status !== 'ready' && (
          <Alert color="yellow" title={texts.signing.problems[status].title}>
            <Text size="sm">{texts.signing.problems[status].text}</Text>
          </Alert>
        )}
        {status === 'ready' && key !== null && (
          <DeviceKeyDetails
            state={state}
            deviceKey={key}
            listedKey={data?.items.find(({ keyId }) => keyId === key.keyId)}
            actionRunner={actionRunner}
          />
        )}
        {status === 'not-enrolled' && key !== null && <EnrolKey deviceKey={key} actionRunner={actionRunner} />}
        {status !== 'ready' && status !== 'not-enrolled' && (
          <SetUpKey key={status} state={state} actionRunner={actionRunner} />
        )}
        {failure !== undefined && (
          <Alert color="red" role="alert" title={texts.signing.failed}>
            {failure}
          </Alert>
        )}
        {data !== undefined && data.items.some(({ keyId }) => keyId !== key?.keyId) && (
          <>
            <Divider />
            <OtherKeys
              items={data.items.filter(({ keyId }) => keyId !== key?.keyId)}
              canCountersign={status === 'ready'}
              actionRunner={actionRunner}
            />
          </>
        )}
      </Stack>
    </Modal>
  );
}
