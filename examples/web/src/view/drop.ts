/** What was dropped on the page: files, or a folder and with it those directly in it. */

export async function filesOf(transfer: DataTransfer): Promise<File[]> {
  // both lists are gone once the event is over
  const files = [...transfer.files];
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry());
  const folders = entries.filter((entry) => entry?.isDirectory) as FileSystemDirectoryEntry[];
  if (folders.length === 0) return files;
  const loose = files.filter((file) => folders.every(({ name }) => name !== file.name));
  return [...loose, ...(await Promise.all(folders.map(filesIn))).flat()];
}

async function filesIn(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader();
  const files: File[] = [];
  // a reader hands out some hundred entries at a time
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (entries.length === 0) return files;
    for (const entry of entries) if (entry.isFile) files.push(await fileOf(entry));
  }
}

function fileOf(entry: FileSystemEntry): Promise<File> {
  return new Promise((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
}
