import { Alert, Divider, Modal, Stack, Text } from '@mantine/core';
import { keys, useClient } from '@countersign/inbox-ui';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ActionResult } from '../../common/bridge.js';
import type { SigningState } from '../../common/signing.js';
import { texts } from '../app/texts.js';
import { EnrolKey } from './enrol-key.js';
import { KeyHere } from './key-here.js';
import { OtherKeys } from './other-keys.js';
import { SetUpKey } from './set-up-key.js';

interface SigningDialogProps {
  readonly state: SigningState;
  readonly opened: boolean;
  onClose(): void;
}

/** Runs actions that the user confirms in a system dialog, and reports progress and failures. */
export interface Acting {
  readonly busy: boolean;
  run(act: () => Promise<ActionResult>): void;
}

/** Dialog with the signing key of this device and the other keys of the signed-in user. */
export function SigningDialog({ state, opened, onClose }: SigningDialogProps) {
  const client = useClient();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const { data } = useQuery({
    queryKey: keys.signingKeys,
    queryFn: ({ signal }) => client.listMySigningKeys({ limit: 200 }, { signal }),
    enabled: opened,
  });
  const run = (act: () => Promise<ActionResult>): void => {
    setBusy(true);
    setFailure(undefined);
    const ended = (message?: string): void => {
      setBusy(false);
      setFailure(message);
      void queries.invalidateQueries({ queryKey: keys.signingKeys });
    };
    // No message if the user declined in the dialog.
    act().then(
      (done) => ended(done.ok || done.code === 'declined' ? undefined : done.message),
      () => ended(texts.signing.failed),
    );
  };
  const close = (): void => {
    setFailure(undefined);
    onClose();
  };
  const acting: Acting = { busy, run };
  const { status, key } = state;
  return (
    <Modal opened={opened} onClose={close} title={texts.signing.title} size="lg" centered>
      <Stack>
        {status !== 'off' && status !== 'none' && status !== 'ready' && (
          <Alert color="yellow" title={texts.signing.trouble[status].title}>
            <Text size="sm">{texts.signing.trouble[status].text}</Text>
          </Alert>
        )}
        {status === 'ready' && key !== null && (
          <KeyHere
            state={state}
            shownKey={key}
            listed={data?.items.find(({ keyId }) => keyId === key.keyId)}
            acting={acting}
          />
        )}
        {status === 'not-enrolled' && key !== null && <EnrolKey shownKey={key} acting={acting} />}
        {status !== 'ready' && status !== 'not-enrolled' && <SetUpKey key={status} state={state} acting={acting} />}
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
              countersigns={status === 'ready'}
              acting={acting}
            />
          </>
        )}
      </Stack>
    </Modal>
  );
}
