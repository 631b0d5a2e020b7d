import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { bridge } from '../app/bridge.js';
import { texts } from '../app/texts.js';

/** Form that adds a server and activates it. */
export function AddServerForm({ onAdded }: { readonly onAdded?: () => void }) {
  const [url, setUrl] = useState('');
  const [name, setName] = useState('');
  const [failure, setFailure] = useState<string>();
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const result = await bridge.addServer({ url, name });
    if (result.ok) onAdded?.();
    else setFailure(result.message);
  };
  return (
    <form onSubmit={(event) => void add(event)}>
      <Stack>
        <TextInput
          label={texts.address}
          description={texts.addressHint}
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
          required
          maxLength={2_000}
          data-autofocus
          autoFocus
          spellCheck={false}
        />
        <TextInput
          label={texts.serverName}
          description={texts.serverNameHint}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={100}
        />
        {failure !== undefined && (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        <Button type="submit">{texts.add}</Button>
      </Stack>
    </form>
  );
}
