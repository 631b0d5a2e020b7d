import { ScrollArea, Stack, Title } from '@mantine/core';
import { texts } from '../texts/index.js';
import type { RunPartProps } from './run-part-props.js';
import { ValueView } from '../ui/value-view.js';

/** Shows the inputs of the run and its current variables. */
export function RunVariables({ run }: RunPartProps) {
  return (
    <ScrollArea h="100%" type="auto" viewportProps={{ tabIndex: 0 }}>
      <Stack gap="md">
        <section>
          <Title order={2} size="h5" mb="xs">
            {texts.run.variables}
          </Title>
          <ValueView value={run.variables} label={texts.run.variables} maxHeight={520} />
        </section>
        <section>
          <Title order={2} size="h5" mb="xs">
            {texts.run.inputs}
          </Title>
          <ValueView value={run.inputs} label={texts.run.inputs} maxHeight={360} />
        </section>
      </Stack>
    </ScrollArea>
  );
}
