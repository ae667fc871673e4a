package gambit.app.tool.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class JsonTreeTest {
  @Test
  void aTreeIsThatOfTheLibrarysMapper() throws Exception {
    ObjectMapper library = new ObjectMapper();
    for (String text :
        new String[] {
          "[\"OK\",\"a\",true,\"\"]",
          " {\"a\":{\"b\":[1,-2147483649,99999999999999999999,1.5,1e400,-0]},\"a\":null,\"\":[]} ",
          "[[[]],{},\"\\u00e9\\n\",false,null]",
          "7",
          "\"text\"",
          "null",
          "[] further",
          "",
          " "
        }) {
      assertThat(JsonTree.read(text)).as(text).isEqualTo(library.readTree(text));
    }
  }

  @Test
  void textThatIsNotJsonIsRefusedAsByTheLibrarysMapper() {
    for (String text : new String[] {"[", "{\"a\"", "{\"a\":}", "[1,]", "nul", "{1:2}", "]"}) {
      assertThatThrownBy(() -> new ObjectMapper().readTree(text))
          .isInstanceOf(JsonProcessingException.class);
      assertThatThrownBy(() -> JsonTree.read(text))
          .as(text)
          .isInstanceOf(JsonProcessingException.class);
    }
  }
}
