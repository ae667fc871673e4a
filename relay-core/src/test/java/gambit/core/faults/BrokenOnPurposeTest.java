package gambit.core.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import gambit.core.testkit.ThoroughOnly;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Shows that the tests of recovery detect missing checks: with one line of the store changed, a
 * test fails. The changed class is compiled into a separate class loader, in which that test runs.
 */
@ThoroughOnly
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BrokenOnPurposeTest {
  private static final String STORE = "gambit.core.store.disk.";
  private static final String FILES = "gambit.core.files.";
  private static final String TESTS = BrokenOnPurposeTest.class.getPackageName() + ".";
  private static final Path SOURCES = Path.of("src/main/java");
  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** Opens the files of the class path once for all changes. */
  private final JavaFileManager classPath = COMPILER.getStandardFileManager(null, null, null);

  @AfterAll
  void closeFiles() throws IOException {
    classPath.close();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          gambit.core.store.disk.log.EventLog ~ sync(); newestGroup = newest; ~ newestGroup = newest; ~ gambit.core.faults.PowerCutTest ~ acknowledgedCommitsSurviveAPowerCutAtAnyOperation
          gambit.core.store.disk.log.LogFiles ~ file.sync(); } disk.rename ~ } disk.rename ~ gambit.core.faults.PowerCutTest ~ acknowledgedCommitsSurviveAPowerCutAtAnyOperation
          gambit.core.store.disk.log.LogFiles ~ try { disk.sync(); } catch ~ try { if (disk == null) throw new IOException(); } catch ~ gambit.core.faults.PowerCutTest ~ acknowledgedCommitsSurviveAPowerCutAtAnyOperation
          gambit.core.store.disk.log.EventLog ~ throw new StoreFailure("the event log could not be synced to the disk", e); ~ nextSequence = nextSequence + 0; ~ gambit.core.faults.PowerCutTest ~ failedSyncEndsTheStore
          gambit.core.store.disk.log.RecordGroup ~ return crc(in.duplicate(), at, at + HEAD_BYTES + length, salt) == in.getInt(at + CRC_POSITION); ~ return true; ~ gambit.core.store.disk.RecoveryTest ~ damagedGroupInASealedSegmentIsReported
          gambit.core.store.disk.log.RecordGroup ~ crc.update((int) (salt >>> shift) & 0xff); ~ crc.reset(); ~ gambit.core.store.disk.RecoveryTest ~ bytesThatImitateAGroupAreNotReadAsOne
          gambit.core.store.disk.log.EventLog ~ if (active.offsetOf(end) < finishedTo) ~ if (end < 0) ~ gambit.core.store.disk.RecoveryTest ~ acknowledgedLastGroupIsNeverDropped
          gambit.core.store.disk.log.EventLog ~ if (RecordGroup.isGroup(view, at, view.capacity(), active.salt()) && ~ if (at < 0 && ~ gambit.core.store.disk.RecoveryTest ~ damagedGroupBeforeAnIntactOneIsReportedAndNotCut
          gambit.core.store.disk.log.LogFiles ~ requireComplete(live); ~ `` ~ gambit.core.store.disk.RecoveryTest ~ truncatedMissingOrDamagedSegmentIsReported
          gambit.core.store.disk.log.EventLog ~ if (!segment.hasValidChecksum()) ~ if (segment.isCutOff()) ~ gambit.core.store.disk.RecoveryTest ~ damagedRewrittenSegmentIsReported
          gambit.core.store.disk.log.LogFiles ~ if (segment.base() < covered) ~ if (segment.base() < 0) ~ gambit.core.faults.PowerCutTest ~ acknowledgedCommitsSurviveAKillAtAnyOperation
          gambit.core.store.disk.index.Recovery ~ if (known != null && offset < known.end()) ~ if (known != null) ~ gambit.core.store.disk.RecoveryTest ~ indexBehindTheLogCatchesUp
          gambit.core.store.disk.index.IndexState ~ found.equals(OPEN + bootId) ~ found.startsWith(OPEN) ~ gambit.core.store.disk.RecoveryTest ~ indexLeftOpenByAnEarlierBootIsRebuilt
          gambit.core.store.disk.log.StoreFormat ~ && !found.equals(CURRENT)) ~ && found.isEmpty()) ~ gambit.core.store.disk.RecoveryTest ~ unknownFormatIsRefusedWithAMessage
          gambit.core.files.DirectoryLock ~ if (!lock()) ~ if (channel == null) ~ gambit.core.store.disk.RecoveryTest ~ secondOpeningIsRefusedWhileTheStoreIsOpen
          gambit.core.store.disk.SpaceReclaimer ~ yield !old.contains(view.segmentOf(target)) && view.contains(target); ~ yield target < 0; ~ gambit.core.faults.PowerCutTest ~ acknowledgedCommitsSurviveAPowerCutAtAnyOperation
          gambit.core.store.disk.StoreBackup ~ file.sync(); return new Copy(true, ~ return new Copy(true, ~ gambit.core.store.disk.BackupFaultsTest ~ formerOrNewBackupIsCompleteAfterAPowerCutAtAnyOperation
          gambit.core.store.disk.log.EventLog ~ sync(); newestGroup = newest; ~ newestGroup = newest; ~ gambit.core.store.disk.ReplicatedPowerCutTest ~ acknowledgedGroupsSurviveAPowerCutAtAnyOperation
          gambit.core.store.disk.log.EventLog ~ && !RecordGroup.isSyncedWith(nextSequence, view, at) ~ `` ~ gambit.core.store.disk.ReplicatedPowerCutTest ~ acknowledgedGroupsSurviveAPowerCutAtAnyOperation
          gambit.core.store.disk.log.EventLog ~ clear(position + size); ~ `` ~ gambit.core.store.disk.ReplicatedPowerCutTest ~ listThatCouldNotBeWrittenIsAbsentAfterRestart
          gambit.core.store.disk.LogCheck ~ && RecordGroup.isSyncedWith(sequence, in, next) ~ && false ~ gambit.core.store.disk.ReplicatedPowerCutTest ~ acknowledgedGroupsSurviveAPowerCutAtAnyOperation
          gambit.core.store.disk.StoreBackup ~ (size > head && ~ (true && ~ gambit.core.store.disk.ReplicatedLogTest ~ unfinishedGroupWithoutRecordsThatABackupHasIsNoDamage
          gambit.core.store.disk.index.IndexUpdate ~ if (end - groupOffset == RecordGroup.HEAD_BYTES) ~ if (end < 0) ~ gambit.core.store.disk.ReplicatedLogTest ~ spaceOfGroupsWithoutRecordsIsReclaimed
          gambit.core.store.disk.GroupReplication ~ require(Records.isIntact(in, at, offset), ~ require(at >= 0, ~ gambit.core.store.disk.ReplicatedLogTest ~ groupWithAnyChangedByteIsRefused
          gambit.core.store.disk.GroupReplication ~ require(Records.isWellFormed(in, at), ~ require(at >= 0, ~ gambit.core.store.disk.ReplicatedLogTest ~ malformedRecordsWithValidChecksumsAreRefusedWithoutAnyOtherError
          gambit.core.store.disk.StoreBackup ~ target.sync(); ByteBuffer text ~ ByteBuffer text ~ gambit.core.store.disk.BackupFaultsTest ~ formerOrNewBackupIsCompleteAfterAPowerCutAtAnyOperation
          """)
  void testFailsWhenALineOfTheStoreIsBroken(
      String type, String line, String broken, String test, String method) throws Exception {
    String source = Files.readString(SOURCES.resolve(pathOf(type)));
    assertThat(normalized(source)).contains(line);
    String changed = normalized(source).replace(line, broken);
    assertFails(new ChangedClassLoader(compile(type, changed)).loadClass(test), method);
  }

  private static String pathOf(String type) {
    return type.replace('.', '/') + ".java";
  }

  /** The source on one line, without comments. */
  private static String normalized(String source) {
    return source
        .replaceAll("(?s)/\\*.*?\\*/", "")
        .replaceAll("//[^\n]*", "")
        .replaceAll("\\s+", " ");
  }

  private static void assertFails(Class<?> test, String method) throws Exception {
    Constructor<?> constructor = test.getDeclaredConstructor();
    constructor.setAccessible(true);
    Object instance = constructor.newInstance();
    try {
      callAll(instance, BeforeEach.class);
      Method run = test.getDeclaredMethod(method);
      run.setAccessible(true);
      run.invoke(instance);
    } catch (InvocationTargetException e) {
      return;
    } finally {
      callAll(instance, AfterEach.class);
    }
    fail("%s.%s does not detect the change", test.getSimpleName(), method);
  }

  private static void callAll(Object instance, Class<? extends Annotation> kind)
      throws ReflectiveOperationException {
    for (Method method : instance.getClass().getDeclaredMethods()) {
      if (method.isAnnotationPresent(kind)) {
        method.setAccessible(true);
        method.invoke(instance);
      }
    }
  }

  private Map<String, byte[]> compile(String type, String source) {
    Map<String, ByteArrayOutputStream> classes = new HashMap<>();
    JavaFileManager files = new InMemoryFileManager(classPath, classes);
    List<String> options =
        List.of("-classpath", System.getProperty("java.class.path"), "-proc:none");
    List<Source> sources = List.of(new Source(type, source));
    boolean done = COMPILER.getTask(null, files, null, options, null, sources).call();
    assertThat(done).as("it compiles").isTrue();
    Map<String, byte[]> bytes = new HashMap<>();
    classes.forEach((name, out) -> bytes.put(name, out.toByteArray()));
    return bytes;
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String type, String text) {
      super(URI.create("string:///" + pathOf(type)), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private static final class InMemoryFileManager
      extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, ByteArrayOutputStream> classes;

    InMemoryFileManager(JavaFileManager files, Map<String, ByteArrayOutputStream> classes) {
      super(files);
      this.classes = classes;
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
      return new SimpleJavaFileObject(URI.create("class:///" + name), kind) {
        @Override
        public OutputStream openOutputStream() {
          ByteArrayOutputStream out = new ByteArrayOutputStream();
          classes.put(name, out);
          return out;
        }
      };
    }
  }

  /** Loads the classes of the store and of its tests again, with the changed class. */
  private static final class ChangedClassLoader extends ClassLoader {
    private final Map<String, byte[]> changed;

    ChangedClassLoader(Map<String, byte[]> changed) {
      super(BrokenOnPurposeTest.class.getClassLoader());
      this.changed = changed;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(STORE) && !name.startsWith(FILES) && !name.startsWith(TESTS)) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        return known != null ? known : define(name);
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      byte[] bytes = changed.get(name);
      if (bytes == null) {
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
          if (in == null) {
            throw new ClassNotFoundException(name);
          }
          bytes = in.readAllBytes();
        } catch (IOException e) {
          throw new ClassNotFoundException(name, e);
        }
      }
      return defineClass(name, bytes, 0, bytes.length);
    }
  }
}
