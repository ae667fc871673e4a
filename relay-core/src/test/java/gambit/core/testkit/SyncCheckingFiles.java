package gambit.core.testkit;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The file system of the machine, which tracks what a power cut could take back: written bytes of
 * files, and names in directories, that are not synced. It also reports files that got their proper
 * name, by a rename, before they were synced. One thread.
 */
public final class SyncCheckingFiles extends FileSystem {
  private final FileSystem real;
  private final Provider provider = new Provider();
  private final Set<String> unsyncedContent = new TreeSet<>();
  private final Set<String> unsyncedNames = new TreeSet<>();
  private final List<String> faults = new ArrayList<>();

  private SyncCheckingFiles(FileSystem real) {
    this.real = real;
  }

  /** A path to the same file, by which files are changed and tracked. */
  public static Path tracked(Path path) {
    return new SyncCheckingFiles(path.getFileSystem()).wrap(path.toAbsolutePath().normalize());
  }

  /**
   * What a power cut could take back of the files of a {@link #tracked} path, and early renames.
   */
  public static List<String> faultsOf(Path tracked) {
    SyncCheckingFiles files = (SyncCheckingFiles) tracked.getFileSystem();
    List<String> all = new ArrayList<>(files.faults);
    files.unsyncedContent.forEach(name -> all.add("the content of " + name));
    files.unsyncedNames.forEach(name -> all.add("the name " + name));
    return all;
  }

  private void moved(Path from, Path to) {
    for (Set<String> unsynced : List.of(unsyncedContent, unsyncedNames)) {
      for (String name : List.copyOf(unsynced)) {
        boolean isContent = unsynced == unsyncedContent && name.equals("" + from);
        if (isContent || name.startsWith(from + "/")) {
          faults.add(name + " was not synced when it became " + to);
          unsynced.remove(name);
        }
      }
    }
    unsyncedNames.remove("" + from);
    unsyncedNames.add("" + to);
  }

  private void deleted(Path path) {
    unsyncedContent.remove("" + path);
    unsyncedNames.remove("" + path);
  }

  private void synced(Path path) {
    unsyncedContent.remove("" + path);
    if (Files.isDirectory(path)) {
      unsyncedNames.removeIf(name -> path.equals(Path.of(name).getParent()));
    }
  }

  private Path wrap(Path path) {
    return (Path)
        Proxy.newProxyInstance(
            SyncCheckingFiles.class.getClassLoader(),
            new Class<?>[] {Path.class, Wrapped.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getFileSystem")) {
                return this;
              } else if (method.getName().equals("unwrapped")) {
                return path;
              }
              Object[] given = arguments == null ? new Object[0] : arguments.clone();
              Arrays.setAll(given, i -> given[i] instanceof Path it ? unwrap(it) : given[i]);
              try {
                Object result = method.invoke(path, given);
                return result instanceof Path it ? wrap(it) : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** A path of this file system. */
  private interface Wrapped {
    Path unwrapped();
  }

  private static Path unwrap(Path path) {
    return path instanceof Wrapped wrapped ? wrapped.unwrapped() : path;
  }

  @Override
  public FileSystemProvider provider() {
    return provider;
  }

  @Override
  public void close() {}

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public String getSeparator() {
    return real.getSeparator();
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    return real.getRootDirectories();
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    return real.getFileStores();
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    return real.supportedFileAttributeViews();
  }

  @Override
  public Path getPath(String first, String... more) {
    return wrap(real.getPath(first, more));
  }

  @Override
  public PathMatcher getPathMatcher(String pattern) {
    return path -> real.getPathMatcher(pattern).matches(unwrap(path));
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    return real.getUserPrincipalLookupService();
  }

  @Override
  public WatchService newWatchService() {
    throw new UnsupportedOperationException();
  }

  private final class Provider extends FileSystemProvider {
    private FileSystemProvider real() {
      return real.provider();
    }

    @Override
    public String getScheme() {
      return "sync-checking";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> env) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Path getPath(URI uri) {
      throw new UnsupportedOperationException();
    }

    @Override
    public SeekableByteChannel newByteChannel(
        Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
        throws IOException {
      return newFileChannel(path, options, attributes);
    }

    @Override
    public FileChannel newFileChannel(
        Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
        throws IOException {
      Path file = unwrap(path);
      boolean isNew = Files.notExists(file, LinkOption.NOFOLLOW_LINKS);
      FileChannel channel = real().newFileChannel(file, options, attributes);
      if (isNew) {
        unsyncedNames.add("" + file);
      }
      return new Channel(file, channel);
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(
        Path directory, DirectoryStream.Filter<? super Path> filter) throws IOException {
      DirectoryStream<Path> found = real().newDirectoryStream(unwrap(directory), it -> true);
      List<Path> wrapped = new ArrayList<>();
      found.forEach(it -> wrapped.add(wrap(it)));
      return new DirectoryStream<>() {
        @Override
        public Iterator<Path> iterator() {
          return wrapped.iterator();
        }

        @Override
        public void close() throws IOException {
          found.close();
        }
      };
    }

    @Override
    public void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException {
      real().createDirectory(unwrap(directory), attributes);
      unsyncedNames.add("" + unwrap(directory));
    }

    @Override
    public void delete(Path path) throws IOException {
      real().delete(unwrap(path));
      deleted(unwrap(path));
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
      real().move(unwrap(source), unwrap(target), options);
      moved(unwrap(source), unwrap(target));
    }

    @Override
    public boolean isSameFile(Path one, Path other) throws IOException {
      return real().isSameFile(unwrap(one), unwrap(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
      return real().isHidden(unwrap(path));
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
      return real().getFileStore(unwrap(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
      real().checkAccess(unwrap(path), modes);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(
        Path path, Class<V> type, LinkOption... options) {
      return real().getFileAttributeView(unwrap(path), type, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(
        Path path, Class<A> type, LinkOption... options) throws IOException {
      return real().readAttributes(unwrap(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options)
        throws IOException {
      return real().readAttributes(unwrap(path), attributes, options);
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options)
        throws IOException {
      real().setAttribute(unwrap(path), attribute, value, options);
    }

    @Override
    public Path readSymbolicLink(Path link) throws IOException {
      return wrap(real().readSymbolicLink(unwrap(link)));
    }
  }

  private final class Channel extends FileChannel {
    private final Path file;
    private final FileChannel channel;

    private Channel(Path file, FileChannel channel) {
      this.file = file;
      this.channel = channel;
    }

    private <T> T written(T result) {
      unsyncedContent.add("" + file);
      return result;
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
      return channel.read(to);
    }

    @Override
    public long read(ByteBuffer[] to, int offset, int length) throws IOException {
      return channel.read(to, offset, length);
    }

    @Override
    public int read(ByteBuffer to, long at) throws IOException {
      return channel.read(to, at);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
      return written(channel.write(from));
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
      return written(channel.write(from, offset, length));
    }

    @Override
    public int write(ByteBuffer from, long at) throws IOException {
      return written(channel.write(from, at));
    }

    @Override
    public long position() throws IOException {
      return channel.position();
    }

    @Override
    public FileChannel position(long at) throws IOException {
      channel.position(at);
      return this;
    }

    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
      channel.truncate(size);
      return written(this);
    }

    @Override
    public void force(boolean metadata) throws IOException {
      channel.force(metadata);
      synced(file);
    }

    @Override
    public long transferTo(long at, long count, WritableByteChannel to) throws IOException {
      return channel.transferTo(at, count, to);
    }

    @Override
    public long transferFrom(ReadableByteChannel from, long at, long count) throws IOException {
      return written(channel.transferFrom(from, at, count));
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long at, long size) throws IOException {
      return channel.map(mode, at, size);
    }

    @Override
    public FileLock lock(long at, long size, boolean isShared) throws IOException {
      return channel.lock(at, size, isShared);
    }

    @Override
    public FileLock tryLock(long at, long size, boolean isShared) throws IOException {
      return channel.tryLock(at, size, isShared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
      channel.close();
    }
  }
}
