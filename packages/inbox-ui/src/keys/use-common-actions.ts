import { useMantineColorScheme } from '@mantine/core';
import { useTimeMode } from '../time/time-mode.js';
import { useKeysDialogs, useShortcuts } from './keys-provider.js';

/** Registers the actions available everywhere: help, key settings, appearance and times. */
export function useCommonActions(): void {
  const { openHelp, openSettings } = useKeysDialogs();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { mode, setMode } = useTimeMode();
  useShortcuts([
    { action: 'app.help', run: openHelp },
    { action: 'app.keyboard', run: openSettings },
    ...(['light', 'dark', 'auto'] as const).map((scheme) => ({
      action: `look.${scheme}`,
      run: scheme === colorScheme ? undefined : () => setColorScheme(scheme),
    })),
    ...(['relative', 'local', 'utc'] as const).map((timeMode) => ({
      action: `times.${timeMode}`,
      run: timeMode === mode ? undefined : () => setMode(timeMode),
    })),
  ]);
}
