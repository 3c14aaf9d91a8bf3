import { platform } from 'node:os';

/** What is not known of the tool on this system, and what to do; undefined on Linux. */
export function untriedSystem(system: string = platform()): string | undefined {
  switch (system) {
    case 'linux':
      return undefined;
    case 'win32':
      return 'On Windows this tool was tried under Wine, and not yet on a real machine. Rehearse first: migrate help windows.';
    case 'darwin':
      return 'This tool was not tried on macOS. Rehearse first.';
    default:
      return `This tool was not tried on ${system}. Rehearse first.`;
  }
}
