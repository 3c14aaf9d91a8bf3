/** The message for an error of the file system, with the remedy; undefined for any other error. */
export function fileErrorText(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined;
  switch (error.code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'does not exist. Check the path.';
    case 'EACCES':
    case 'EPERM':
      return 'cannot be read. Check its permissions.';
    case 'EISDIR':
      return 'is a directory. Name a file.';
    default:
      return `cannot be read: the system reports ${String(error.code)}. Check the disk, or copy the export again.`;
  }
}
