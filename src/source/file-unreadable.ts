/** Why a file's bytes cannot be read; the message continues after the file's name, and has the remedy. */
export class FileUnreadable extends Error {
  override readonly name = 'FileUnreadable';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A compressed file ends too early; the bytes before the end were returned. */
export class CutShort extends FileUnreadable {}
