import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.CollectionOptions;
import de.bwaldvogel.mongo.backend.CursorRegistry;
import de.bwaldvogel.mongo.backend.QueryResult;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.backend.h2.H2Collection;
import de.bwaldvogel.mongo.backend.h2.H2Database;
import de.bwaldvogel.mongo.bson.Document;
import io.netty.channel.Channel;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/** Speaks MongoDB's protocol on a port (0: a free one) and keeps its data in a file; ends on SIGTERM, or with the process that started it. */
class DocumentServer {
  public static void main(String[] args) {
    MongoVersion version = new MongoVersion() {
      public List<Integer> getVersionArray() { return List.of(6, 0, 0); }
      // What the server itself says is too old for the driver.
      public int getWireVersion() { return 17; }
    };
    var server = new MongoServer(new Backend(args[0]).version(version));
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
    ProcessHandle.current().parent().ifPresent(parent -> parent.onExit().thenRun(() -> System.exit(0)));
    server.bind("127.0.0.1", Integer.parseInt(args[1]));
    System.out.println("mongodb://127.0.0.1:" + server.getLocalAddress().getPort());
  }

  /** The server takes its index of ids for filters by the id alone; for others that name an id too it would look at every document. */
  static class Backend extends H2Backend {
    /** Change which collections and indexes there are. The server would let others write into what is being dropped, and never be right again. */
    private static final Set<String> ALONE = Set.of("dropDatabase", "drop", "dropIndexes", "createIndexes", "create", "renameCollection");
    private final ReadWriteLock lock = new ReentrantReadWriteLock();

    Backend(String file) { super(file); }

    public Document handleCommand(Channel channel, String database, String command, Document query) {
      Lock held = ALONE.contains(command) ? lock.writeLock() : lock.readLock();
      held.lock();
      try {
        Document answer = super.handleCommand(channel, database, command, query);
        // Journaled: on disk before the answer, so that it outlives a SIGKILL. All else is written about once a second.
        if (query.get("writeConcern") instanceof Document concern && Boolean.TRUE.equals(concern.get("j"))) getMvStore().commit();
        return answer;
      } finally {
        held.unlock();
      }
    }

    protected MongoDatabase openOrCreateDatabase(String name) {
      MVStore store = getMvStore();
      CursorRegistry cursors = getCursorRegistry();
      return new H2Database(name, store, cursors) {
        protected H2Collection openOrCreateCollection(String collection, CollectionOptions options) {
          MVMap<Object, Document> documents = store.openMap("databases." + name + "." + collection);
          MVMap<String, Object> meta = store.openMap("meta." + name + "." + collection);
          return new H2Collection(this, collection, options, documents, meta, cursors) {
            protected QueryResult queryDocuments(Document query, Document order, int skip, int limit, int batch, Document fields) {
              return query.get("_id") instanceof String id && query.size() > 1
                ? matchDocuments(query, documents.containsKey(id) ? List.of(id) : List.of(), order, skip, limit, batch, fields)
                : super.queryDocuments(query, order, skip, limit, batch, fields);
            }
          };
        }
      };
    }
  }
}
